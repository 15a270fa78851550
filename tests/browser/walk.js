// Put first into a page that walk.html opens: sends what is wrong with it, as sentences.
(() => {
  const faults = [];
  const complain = console.error;
  console.error = (...what) => { faults.push(`console: ${what.join(" ")}`); complain(...what); };
  addEventListener("error", (event) => faults.push(`error: ${event.message}`));
  addEventListener("unhandledrejection", (event) => faults.push(`rejected: ${event.reason}`));
  const check = () => {
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth + 1) faults.push(`wider than the window: ${root.scrollWidth}`);
    const stops = [...document.querySelectorAll("svg.am-map *")].filter((part) => part.tabIndex >= 0);
    if (stops.length) faults.push(`${stops.length} Tab stops in a map`);
    if (!document.title) faults.push("no title");
    parent.postMessage({ faults }, "*");
  };
  addEventListener("load", () => setTimeout(check, 300));
})();
