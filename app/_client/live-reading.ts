/** Is the reader in the middle of something that must not move? */

/** So far down that what comes in above would push away what is being read. */
const DOWN_PX = 160;

/** The last: about to press what tells of news, which must not go away under the pointer. */
const BUSY =
  "[role=dialog], tbody tr:hover, [data-row]:hover, [data-row]:focus-within, details[open]:hover, [data-news]:hover";
const WRITING = "input:focus, textarea:focus";

/** `orWriting`: someone who writes is in the middle of something too. */
export function isReading({ orWriting = true } = {}): boolean {
  return (
    window.scrollY > DOWN_PX ||
    window.getSelection()?.isCollapsed === false ||
    document.querySelector(orWriting ? `${BUSY}, ${WRITING}` : BUSY) !== null
  );
}
