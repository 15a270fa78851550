// Small things that all scripts of a page need.
const pageParts = {
  part: (id) => document.getElementById(id),

  make: (name, look, text) => {
    const made = document.createElement(name);
    made.className = look || "";
    if (text !== undefined) made.textContent = text;
    return made;
  },

  button: (text, act, look) => {
    const made = pageParts.make("button", look, text);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  },

  // The data of pack_json in alexmagnum/report/sheet.py.
  unpackJson: async (text) => {
    const packed = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  },

  // An element of a drawing.
  shape: (name, attributes = {}) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  },

  // Keeps a tap for later, by its place on the map, which may be framed anew meanwhile; what is returned carries it out.
  keepTap: (svg, { clientX, clientY }) => {
    const kept = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    return () => {
      const at = kept.matrixTransform(svg.getScreenCTM());
      svg.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX: at.x, clientY: at.y }));
    };
  },

  // A layer of a drawing, of which readers of the screen hear nothing.
  layer: (name) => pageParts.shape("g", { class: "layer", "aria-hidden": "true", "data-layer": name }),
};
