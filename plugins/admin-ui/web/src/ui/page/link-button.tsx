import { ActionIcon, Button, type ActionIconProps, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';

/** A link of the application that looks like a button. */
export function LinkButton(props: ButtonProps & Pick<LinkProps, 'to' | 'state' | 'children'>) {
  return <Button component={Link} {...props} />;
}

/** An icon that is a link; its name is read aloud and shown on hover. */
export function LinkIcon({
  label,
  to,
  children,
  ...props
}: ActionIconProps &
  Pick<LinkProps, 'state'> & { readonly label: string; readonly to: string; readonly children: ReactNode }) {
  return (
    <ActionIcon component={Link} to={to} title={label} aria-label={label} {...props}>
      {children}
    </ActionIcon>
  );
}

/** An icon that does something; its name is read aloud and shown on hover. */
export function IconButton({
  label,
  children,
  ...props
}: ActionIconProps & {
  readonly label: string;
  readonly children: ReactNode;
  readonly onClick?: () => void;
  readonly onPointerEnter?: () => void;
  readonly disabled?: boolean;
  readonly 'aria-disabled'?: boolean;
}) {
  return (
    <ActionIcon variant="subtle" color="gray" title={label} aria-label={label} {...props}>
      {children}
    </ActionIcon>
  );
}
