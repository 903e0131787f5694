// The API page: drawn from the server's own OpenAPI description, without anything from elsewhere.
// @ts-check
import { $, ask, attempt, make } from "./studio.js";

// Words between backticks are code.
const marked = (text) => text.split("`").map((part, k) => k % 2 ? make("code", {}, part) : part);
$("#curl").textContent = $("#curl").textContent.replace("127.0.0.1:8321", location.host);

attempt(async () => {
  const description = await ask("/openapi.json");
  const schemas = description.components.schemas;
  const type = (part) => part.$ref ? part.$ref.split("/").pop() : part.anyOf ? part.anyOf.map(type).join(" or ")
    : part.type === "array" ? `list of ${type(part.items ?? {})}` : part.type ?? "anything";
  for (const [path, methods] of Object.entries(description.paths)) for (const [method, route] of Object.entries(methods)) {
    const card = make("section", { class: "card" }, make("h2", {}, make("code", {}, `${method.toUpperCase()} ${path}`)), make("p", {}, ...marked(route.description ?? route.summary)));
    const body = route.requestBody?.content["application/json"].schema;
    const rows = (route.parameters ?? []).map(({ name, schema, required }) => [name, type(schema), required, ""]);
    if (body) {
      const fields = schemas[type(body)];
      for (const [name, part] of Object.entries(fields.properties)) rows.push([name, type(part), fields.required?.includes(name), part.description ?? ""]);
    }
    if (rows.length) card.append(make("div", { class: "scroll" }, make("table", {}, make("tbody", {}, ...rows.map(([name, kind, required, text]) =>
      make("tr", {}, make("td", { class: "mono" }, name + (required ? " *" : "")), make("td", {}, kind), make("td", { class: "faint" }, text)))))));
    $("#routes").append(card);
  }
});
