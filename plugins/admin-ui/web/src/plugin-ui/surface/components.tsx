import {
  Alert as MantineAlert,
  Anchor,
  Button as MantineButton,
  Group,
  SimpleGrid,
  Stack as MantineStack,
  Text as MantineText,
} from '@mantine/core';
import type {
  AlertProps,
  ButtonProps,
  CardProps,
  EmptyProps,
  LayoutProps,
  LinkProps,
  PageFrameProps,
  ProblemProps,
  TextProps,
} from '@gantry/ui';
import { Link as RouterLink } from 'react-router-dom';
import { CheckIcon, InfoIcon, WarningIcon } from '../../ui/icons';
import { PageHeader } from '../../ui/page/page';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states';
import { Surface } from '../../ui/surface';

export function Page({ title, description, actions, children }: PageFrameProps) {
  return (
    <>
      <PageHeader title={title} description={description} actions={actions} />
      {children}
    </>
  );
}

export function Card({ title, children }: CardProps) {
  return <Surface title={title}>{children}</Surface>;
}

export function Stack({ children }: LayoutProps) {
  return <MantineStack gap="md">{children}</MantineStack>;
}

export function Row({ children }: LayoutProps) {
  return <Group gap="sm">{children}</Group>;
}

export function Grid({ children }: LayoutProps) {
  return (
    <SimpleGrid type="container" cols={{ base: 1, '480px': 2, '800px': 3, '1200px': 4 }} spacing="md">
      {children}
    </SimpleGrid>
  );
}

const buttonLooks = {
  primary: { variant: 'filled' },
  normal: { variant: 'default' },
  quiet: { variant: 'subtle' },
  danger: { variant: 'light', color: 'red' },
} as const;

export function Button({ children, kind = 'normal', type = 'button', busy, label, ...props }: ButtonProps) {
  const { id, onClick, disabled } = props;
  const attributes = { id, type, onClick, disabled, 'aria-label': label };
  return (
    <MantineButton {...buttonLooks[kind]} {...attributes} loading={busy}>
      {children}
    </MantineButton>
  );
}

export function Link({ to, children }: LinkProps) {
  return (
    <Anchor component={RouterLink} to={to} inherit underline="always">
      {children}
    </Anchor>
  );
}

const textLooks = { normal: {}, quiet: { c: 'dimmed', size: 'sm' }, strong: { fw: 600 } } as const;

export function Text({ children, kind = 'normal' }: TextProps) {
  return (
    <MantineText {...textLooks[kind]} className="long-text">
      {children}
    </MantineText>
  );
}

const alertLooks = {
  info: { color: 'blue', icon: <InfoIcon /> },
  success: { color: 'green', icon: <CheckIcon /> },
  warning: { color: 'yellow', icon: <WarningIcon /> },
  error: { color: 'red', icon: <WarningIcon /> },
} as const;

export function Alert({ title, kind = 'info', children }: AlertProps) {
  return (
    <MantineAlert {...alertLooks[kind]} variant="light" title={title} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </MantineAlert>
  );
}

export function Problem({ error, title = 'Unexpected error', onRetry }: ProblemProps) {
  return <ErrorState error={error} title={title} onRetry={onRetry} />;
}

export function Loading() {
  return <LoadingState />;
}

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <EmptyState title={title} action={action}>
      {children}
    </EmptyState>
  );
}
