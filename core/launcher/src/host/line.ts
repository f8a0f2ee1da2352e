import type { Generation } from './generation';
import type { History } from './life';

/** The generation that serves or is about to, and what led to it. */
export interface Line {
  readonly generation: Generation;
  readonly history: History;
  /** Resolves when another one has taken its place. */
  readonly replaced: Promise<'replaced'>;
  replace(): void;
}

export function createLine(generation: Generation, history: History): Line {
  let replace = (): void => {};
  const replaced = new Promise<'replaced'>((resolve) => {
    replace = () => resolve('replaced');
  });
  return { generation, history, replaced, replace };
}
