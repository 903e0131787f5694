// What the studio's scripts may not do: use what is not there, declare what is not used, compare loosely.
const browser = `AbortController AudioContext Blob CSS CustomEvent DOMParser Event IntersectionObserver KeyboardEvent MutationObserver Option Path2D PointerEvent Response
ResizeObserver TextDecoderStream URL URLSearchParams atob btoa cancelAnimationFrame clearInterval clearTimeout confirm console document fetch
getComputedStyle history innerHeight innerWidth localStorage location matchMedia navigator performance prompt queueMicrotask scrollY sessionStorage
requestAnimationFrame requestIdleCallback setInterval setTimeout structuredClone window XMLSerializer Image`.split(/\s+/);

export default [{
  files: ["**/*.js"],
  languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: Object.fromEntries(browser.map((name) => [name, "readonly"])) },
  rules: { "no-undef": 2, "no-unused-vars": 2, "no-redeclare": 2, "no-unreachable": 2, eqeqeq: 2 },
}];
