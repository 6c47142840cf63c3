/** Draws an SVG of the page as a PNG, with the colours and fonts that it has on the page. */
import { saveBlob } from "./save-blob";

const SCALE = 2;
const PAD = 16;
const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-opacity",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "display",
  "visibility",
];

/** Saves `svg` under `fileName`. Rejects when the browser cannot draw it. */
export async function exportPng(svg: SVGSVGElement, fileName: string): Promise<void> {
  const { width, height } = svg.getBoundingClientRect();
  const copy = standalone(svg, width, height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = (width + 2 * PAD) * SCALE;
  canvas.height = (height + 2 * PAD) * SCALE;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.scale(SCALE, SCALE);
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, width + 2 * PAD, height + 2 * PAD);
  context.drawImage(image, PAD, PAD, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("no image");
  saveBlob(blob, fileName);
}

/** A copy that needs no style sheet: what the page's styles say is written into each part. */
function standalone(svg: SVGSVGElement, width: number, height: number): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  from.forEach((element, i) => {
    const computed = getComputedStyle(element);
    const target = to[i];
    for (const name of STYLES) target?.style.setProperty(name, computed.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return copy;
}
