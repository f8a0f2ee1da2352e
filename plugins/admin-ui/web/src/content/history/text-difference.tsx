import type { TextPart } from './word-difference';

/** Two texts as one, with what was removed and added marked. */
export function TextDifference({ parts }: { readonly parts: readonly TextPart[] }) {
  return (
    <p className="text-difference long-text" dir="auto">
      {parts.map(({ kind, text }, index) => {
        // The parts of one difference never change places.
        if (kind === 'removed') return <del key={index}>{text}</del>;
        if (kind === 'added') return <ins key={index}>{text}</ins>;
        return <span key={index}>{text}</span>;
      })}
    </p>
  );
}
