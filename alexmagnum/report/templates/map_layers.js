// Puts orders and units onto the map of a page, in the layers in which the pictures of a turn have them.
//
//   const layers = makeMapLayers(drawing, symbols);      symbols: a fragment with a [data-kind] of each kind of unit
//   layers.showOrders(drawn, look, flags, symbol)        drawn: what makeOrderArrows gave; look(order): {color, letter, ink,
//                                                        state, about} of its power; flags: where the letters of picks stand;
//                                                        symbol(kind, power): the parts of a new unit
//   layers.clear()                                       takes the orders off the map
const makeMapLayers = (drawing, symbols) => {
  const { shape, layer } = pageParts;

  const add_layer = (name, put) => {
    const made = layer(name);
    put(made);
    return made;
  };

  // Lines lie below the names and signs above the units.
  const names = drawing.querySelector('[data-layer="names"]');
  const lines = add_layer("orders", (made) => names.before(made));
  const signs = add_layer("signs", (made) => drawing.querySelector('[data-layer="units"]').after(made));

  const own_symbol = (kind) => [...symbols.querySelector(`[data-kind="${kind}"]`).cloneNode(true).childNodes];

  const mark = ([order, shapes], look, flags, symbol) => {
    const { color, letter, ink, state = "", about = "", power = "" } = look(order);
    const made = shape("g", { class: `order ${order.look} ${about}`.trim(), "data-unit": order.code, color });
    if (order.look === "build") {
      const unit = shape("g", { class: `unit ${state}`.trim(), transform: `translate(${order.at})` });
      unit.append(...symbol(order.place[0], power));
      made.append(unit);
    }
    made.append(...shapes.map(([d, kind]) => shape("path", { d, class: kind })));
    if (order.look === "pick") {
      const [x, y] = flags[order.about];
      const text = shape("text", { x: x + 10, y: y - 21, "font-size": 14, class: `badge-letter ${ink}` });
      text.textContent = letter;
      made.append(text);
    }
    return made;
  };

  const showOrders = (drawn, look, flags, symbol = own_symbol) => {
    lines.replaceChildren(...drawn.under.map((each) => mark(each, look, flags, symbol)));
    signs.replaceChildren(...drawn.over.map((each) => mark(each, look, flags, symbol)));
  };

  const clear = () => { for (const each of [lines, signs]) each.replaceChildren(); };

  return { showOrders, clear };
};
