// A page that holds everything has its maps in itself.
const siteGroundText = JSON.parse(document.querySelector("#ground").textContent);
Object.assign(siteMaps, JSON.parse(document.querySelector("#maps").textContent));
