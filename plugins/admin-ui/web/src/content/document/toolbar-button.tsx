import type { ComponentProps } from 'react';
import { controlLooks } from './document-controls';

interface ToolbarButtonProps extends ComponentProps<'button'> {
  readonly name: string;
  /** Whether what is selected is such. Undefined for what is done and not switched. */
  readonly isActive?: boolean | undefined;
}

/** A control of the toolbar. A press leaves the focus, and so the selection, in the document. */
export function ToolbarButton({ name, isActive, className = '', ...props }: ToolbarButtonProps) {
  const { label, Icon } = controlLooks[name] ?? {};
  return (
    <button
      type="button"
      className={`document-button ${className}`}
      aria-label={label}
      title={label}
      aria-pressed={isActive}
      onMouseDown={(event) => event.preventDefault()}
      {...props}
    >
      {Icon === undefined ? null : <Icon size={18} />}
    </button>
  );
}
