/** Hands a file to the reader's browser. */
export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // The download has its own hold on the data once it began.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Letters, digits and dashes only: `swe-2gi timeline` → `coalmine-swe-2gi-timeline`. */
export function fileStem(...parts: string[]): string {
  const words = ["coalmine", ...parts].join("-").replace(/[^A-Za-z0-9._-]+/g, "-");
  return words.replace(/-{2,}/g, "-").slice(0, 100);
}
