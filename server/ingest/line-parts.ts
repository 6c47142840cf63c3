/** Numbers the records of one line: 0, 1, 2 … as they are taken out of it. */
export class LineParts {
  private line = 0;
  private given = 0;

  next(line: number): number {
    if (line !== this.line) {
      this.line = line;
      this.given = 0;
    }
    return this.given++;
  }
}
