([least, touch]) => {
  // Words that are smaller on the screen than `least` pixels, and what is to be touched and less than `touch` high and wide; by what they are.
  const found = { type: {}, touch: {} };
  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest("[aria-hidden=true]") && element.getBoundingClientRect().width > 1;
  const called = (element) => `${element.closest("svg") && !element.matches("svg") ? "svg " : ""}${element.localName}.${[...element.classList].join(".")}#${element.closest("[id]")?.id ?? ""}`;
  const steps = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = steps.nextNode(); node; node = steps.nextNode()) {
    const element = node.parentElement;
    if (!/[\p{L}\p{N}]/u.test(node.data) || element.closest("script, style, sub, sup, mfrac, msub, msup, munder, option") || !seen(element)) continue;
    const matrix = element instanceof SVGGraphicsElement ? element.getScreenCTM() : null, scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < least - 0.05) found.type[called(element)] = `${size.toFixed(1)} ${node.data.trim().slice(0, 20)}`;
  }
  for (const element of touch ? document.querySelectorAll("button, select, summary, input:not([type=checkbox], [type=radio], [type=file], [type=range]), nav a, a.button, [role=tab]") : []) {
    if (!seen(element) || element.closest(".places")) continue;
    const { width, height } = element.getBoundingClientRect();
    if (height < touch - 0.5 || width < touch - 0.5) found.touch[called(element)] = `${width.toFixed(0)} x ${height.toFixed(0)} ${(element.textContent || "").trim().slice(0, 20)}`;
  }
  return found;
}
