// Saves a map of a page as a picture, as it is seen: SVG, or PNG at twice its size on the screen.
//
//   await saveMapPicture(svg, kind, name)      kind: "svg" or "png"; name: of the file, without its ending
//
// The picture takes along the page's styles and fonts, so that it looks alike anywhere.
const saveMapPicture = async (svg, kind, name) => {
  const SHARPNESS = 2; // pixels of a PNG to a CSS pixel

  const { width, height } = svg.parentElement.getBoundingClientRect();
  const copy = svg.cloneNode(true);
  const styles = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText));
  const style = pageParts.shape("style");
  style.textContent = styles.join("\n");
  copy.prepend(style);
  for (const [key, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", id: "board", width, height })) copy.setAttribute(key, value);
  copy.removeAttribute("style");
  const drawn = new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });

  const paint = async () => {
    const image = new Image();
    image.src = URL.createObjectURL(drawn);
    await image.decode();
    const canvas = pageParts.make("canvas");
    [canvas.width, canvas.height] = [width, height].map((length) => Math.round(length * SHARPNESS));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(image.src);
    return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  };

  const link = pageParts.make("a");
  link.href = URL.createObjectURL(kind === "svg" ? drawn : await paint());
  link.download = `${name}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
