import type { Generation } from './generation';
import { noHistory } from './life';
import type { History } from './life';

/** The generation that serves or is about to, and what led to it. */
export interface Line {
  readonly generation: Generation;
  readonly history: History;
  /** Resolves when another one has taken its place. */
  readonly replaced: Promise<'replaced'>;
}

/** Of all generations, the one that counts. */
export interface Succession {
  current(): Line | undefined;
  /** This one follows one that has ended, or is the first. */
  begin(generation: Generation, history: History): Line;
  /** This one takes the place of one that serves. @returns that one */
  replaceBy(generation: Generation): Generation | undefined;
}

export function createSuccession(): Succession {
  let line: Line | undefined;
  let replaced = (): void => {};
  const begin = (generation: Generation, history: History): Line => {
    const next: Line = {
      generation,
      history,
      replaced: new Promise((resolve) => {
        replaced = () => resolve('replaced');
      }),
    };
    line = next;
    return next;
  };
  return {
    current: () => line,
    begin,
    replaceBy: (generation) => {
      const before = line?.generation;
      const tell = replaced;
      begin(generation, { ...noHistory, everReady: true, quarantines: generation.quarantines });
      tell();
      return before;
    },
  };
}
