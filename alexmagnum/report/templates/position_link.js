// The link of a position: what stands behind the "#", written and read as alexmagnum/report/sheet.py does.
const positionLink = (() => {
  const LONG = 400; // characters beyond which a fragment is compressed
  const MOST = 200000; // characters of the longest text that a fragment may hold
  const SAFE = { "%20": "_", "%0A": "~", "%3A": ":", "%2C": ",", "%2F": "/", "%3B": ";", "%2B": "+", "%3D": "=" };

  const pass = async (bytes, stream) => {
    const parts = [];
    let length = 0;
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length;
      if (length > 4 * MOST) throw new Error("too long");
      parts.push(part.value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  };

  const toBase64 = (bytes) => btoa([...bytes].map((byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

  // The text of a table: the position, then a line of orders for each power.
  const text = ({ position, orders }) => [position, ...Object.entries(orders).filter(([, listed]) => listed.length)
    .sort(([one], [other]) => one < other ? -1 : 1).map(([power, listed]) => `${power}: ${listed.join("; ")}`)].join("\n");

  // A line break in a position counts as a blank: mails wrap long lines.
  const parse = (written) => {
    const lines = written.trim().split(/\r?\n/);
    const end = lines.findIndex((line, i) => i && !/^\s*(\w+:\S+(\s+|$))+$/.test(line));
    const position = lines.splice(0, end < 0 ? lines.length : end).map((line) => line.trim()).join(" ");
    const orders = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      if (colon < 1) throw new Error("no orders");
      const power = line.slice(0, colon).trim();
      orders[power] = [...orders[power] || [], ...line.slice(colon + 1).split(";").map((each) => each.trim()).filter(Boolean)];
    }
    return { position, orders };
  };

  const plain = (written) => "t:" + encodeURIComponent(written).replaceAll("_", "%5F").replaceAll("~", "%7E")
    .replace(/%(20|0A|3A|2C|2F|3B|2B|3D)/g, (code) => SAFE[code]);

  const write = async (table) => {
    const readable = plain(text(table));
    if (readable.length <= LONG || !("CompressionStream" in self)) return readable;
    const packed = "z:" + toBase64(await pass(new TextEncoder().encode(text(table)), new CompressionStream("deflate-raw")));
    return packed.length < readable.length ? packed : readable;
  };

  // The lines of a position with its orders in a text that people paste: alone, quoted in a mail, among other words; or "".
  const locate = (given) => {
    const lines = given.split(/\r?\n/).map((line) => line.replace(/^[\s>]+/, "").trimEnd());
    const first = lines.findIndex(Boolean);
    const among = lines.map((line) => (/(?:^|[\s"'`(])([\w-]+(?:\[[^\][\s]*\])? +\d+-[\w-]+ +\w+:\S.*)/.exec(line) || [])[1]);
    const alone = /^[\w-]+(\[[^\][\s]*\])? +\d+-/.test(lines[first]);
    const start = alone ? first : among.findIndex(Boolean);
    if (start < 0) return "";
    const found = [alone ? lines[start] : among[start]];
    for (const [i, line] of lines.slice(start + 1).entries()) {
      if (/^\w+:/.test(line)) found.push(line);
      else if (line && found.length > 1 && lines[start + i]) found.push(`${found.pop()} ${line}`); // a mail wrapped the orders
      else if (line) break;
    }
    return found.join("\n");
  };

  const find = (given) => (/(?:^|#)([tz]:[^\s<>"]*[^\s<>".,;:!?)'*])/.exec(given.trim()) || ["", ""])[1];

  // Rejects what is cut off or damaged.
  const read = async (fragment) => {
    const body = fragment.slice(2);
    if (!fragment.startsWith("z:")) return parse(decodeURIComponent(body.replaceAll("_", " ").replaceAll("~", "\n")));
    return parse(new TextDecoder("utf-8", { fatal: true }).decode(await pass(fromBase64(body), new DecompressionStream("deflate-raw"))));
  };

  return { write, read, find, locate, text, parse };
})();
