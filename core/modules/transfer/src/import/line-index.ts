/** The line of the file of each new item: a few bytes an item, so that a million lines fit. */
export class LineIndex {
  private readonly batches: { readonly ids: Float64Array; readonly lines: Uint32Array }[] = [];

  /** Ids come from a sequence: those of a later batch are larger. */
  add(items: readonly { readonly id: string; readonly line: number }[]): void {
    const sorted = items.toSorted((left, right) => Number(left.id) - Number(right.id));
    if (sorted.length === 0) return;
    this.batches.push({
      ids: Float64Array.from(sorted, ({ id }) => Number(id)),
      lines: Uint32Array.from(sorted, ({ line }) => line),
    });
  }

  /** Undefined for an item that was there before. */
  lineOf(id: string): number | undefined {
    const wanted = Number(id);
    const batch = this.batches.find(({ ids }) => wanted >= (ids[0] ?? 0) && wanted <= (ids.at(-1) ?? 0));
    const index = batch?.ids.indexOf(wanted) ?? -1;
    return index < 0 ? undefined : batch?.lines[index];
  }
}
