import { signalsOf, type SignalName } from '@gantry/contracts';

/** A signal as it is typed. */
export interface SignalDraft {
  readonly name: string;
  /** A list in JSON; blank for none. */
  readonly args: string;
}

export interface Signal {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A signal that can be sent, or what is wrong with a field of it. */
export type ParsedSignal =
  | { readonly ok: true; readonly signal: Signal }
  | { readonly ok: false; readonly field: keyof SignalDraft; readonly message: string };

export const noSignal: SignalDraft = { name: '', args: '' };

/** The signals of a type of the order services that the reader may send, which have no arguments; undefined for types of others. */
export function knownSignals(type: string, may: (signal: SignalName) => boolean): readonly string[] | undefined {
  const known: Readonly<Record<string, readonly SignalName[]>> = signalsOf;
  const signals = Object.hasOwn(known, type) ? known[type] : undefined;
  return signals?.filter(may);
}

export function parseSignal(draft: SignalDraft): ParsedSignal {
  const name = draft.name.trim();
  if (name === '') return { ok: false, field: 'name', message: 'Enter the signal name from the workflow code.' };
  if (draft.args.trim() === '') return { ok: true, signal: { name, args: [] } };
  const args = parseJson(draft.args);
  if (Array.isArray(args)) return { ok: true, signal: { name, args: args as readonly unknown[] } };
  return { ok: false, field: 'args', message: 'Write a list in JSON, for example ["text", 5].' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
