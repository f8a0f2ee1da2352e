/** Lines that a plugin may print in five seconds, on standard output, standard error and its logger. */
export const maxLines = 1_000;

type Write = (chunk: string | Uint8Array, ...others: readonly unknown[]) => boolean;

/** @param admits whether what is written next, of so many characters, is to be written */
export function limitStream(stream: NodeJS.WriteStream, admits: (characters: number) => boolean): void {
  const write = stream.write.bind(stream) as Write;
  const { nextTick } = process;
  let waiting: (() => void)[] = [];
  const callBack = (): void => {
    const callbacks = waiting;
    waiting = [];
    for (const done of callbacks) done();
  };
  const limited: Write = (chunk, ...others) => {
    if (admits(chunk.length)) return write(chunk, ...others);
    const done = others.at(-1);
    if (typeof done !== 'function') return true;
    // One tick for all: a flood has hundreds of thousands.
    if (waiting.length === 0) nextTick(callBack);
    waiting.push(done as () => void);
    return true;
  };
  stream.write = limited;
}
