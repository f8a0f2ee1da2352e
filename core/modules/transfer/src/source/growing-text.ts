/**
 * The text of an item as far as it has been read. Its bytes are counted part by part: to measure all of it again with each
 * chunk takes the square of its length.
 */
export class GrowingText {
  private content = '';
  private bytes = 0;

  get text(): string {
    return this.content;
  }

  append(part: string): void {
    this.content += part;
    this.bytes += Buffer.byteLength(part);
  }

  isLongerThan(bytes: number): boolean {
    return this.bytes > bytes;
  }

  /** Returns the text, and begins the next one. */
  take(): string {
    const { content } = this;
    this.content = '';
    this.bytes = 0;
    return content;
  }
}
