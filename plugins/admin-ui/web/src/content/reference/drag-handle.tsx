import { icon } from '../../ui/icons';

const GripIcon = icon(<path d="M9 6v.2M9 12v.2M9 18v.2M15 6v.2M15 12v.2M15 18v.2" strokeWidth={2.5} />);

/** By which an entry is dragged; those who use keys have buttons beside it. */
export function DragHandle({ onGrab }: { onGrab(): void }) {
  return (
    <span
      className="drag-handle"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // No text is selected on the way.
        event.preventDefault();
        onGrab();
      }}
    >
      <GripIcon size={18} />
    </span>
  );
}
