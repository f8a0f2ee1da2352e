import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { PlatformSchema } from '@gantry/client/platform';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { ApiError } from '../../api/api-error';
import { request } from '../../api/request';
import { Dialog } from '../../ui/dialog';
import { Failure } from '../../ui/failure';
import { textOf } from './view-value';
import type { ViewRow } from './rows-query';

export type Action = PlatformSchema<'PluginCommand'>;
type Value = Action['values'][number];

interface ActionDialogProps {
  readonly action: Action;
  /** Of an action on one row: it has the parameters of the path. */
  readonly row: ViewRow;
  onClose(): void;
}

/** The form of a command: what it sends beside the parameters of its path. */
export function ActionDialog({ action, row, onClose }: ActionDialogProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const run = useMutation({
    mutationFn: () => send(action, row, typed),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: ['views', 'rows'] });
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    run.mutate();
  };
  const asked = action.values.filter(({ in: part }) => part !== 'path');
  const problems = run.error instanceof ApiError ? run.error.details : [];
  const isBesides = problems.length > 0 && problems.every(({ path }) => asked.some(({ name }) => name === path));
  return (
    <Dialog opened onClose={onClose} title={action.summary}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {action.description === undefined ? null : (
            <Text size="sm" c="dimmed">
              {action.description}
            </Text>
          )}
          <Failure error={isBesides ? null : run.error} />
          {asked.map((value, index) => (
            <Input
              key={`${value.in} ${value.name}`}
              value={value}
              isFirst={index === 0}
              text={typed[value.name] ?? ''}
              error={problems.find(({ path }) => path === value.name)?.message}
              onChange={(text) => setTyped((known) => ({ ...known, [value.name]: text }))}
            />
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={run.isPending} data-autofocus={asked.length === 0 || undefined}>
              {action.summary}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface InputProps {
  readonly isFirst: boolean;
  readonly value: Value;
  readonly text: string;
  readonly error: string | undefined;
  onChange(text: string): void;
}

function Input({
  isFirst,
  value: { name, kind, isList, required, choices, description },
  text,
  error,
  onChange,
}: InputProps) {
  const label = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  const shared = {
    ...{ label: label.charAt(0).toUpperCase() + label.slice(1), description, error, required, value: text },
    'data-autofocus': isFirst || undefined,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  };
  const options = kind === 'boolean' ? ['true', 'false'] : choices;
  if (options !== undefined && isList === undefined) return <NativeSelect {...shared} data={['', ...options]} />;
  if (kind === 'number' && isList === undefined) return <TextInput {...shared} inputMode="decimal" />;
  return <Textarea {...shared} autosize minRows={isList === undefined ? 1 : 2} maxRows={12} />;
}

/** @throws ApiError for text that is no JSON, and as a request does */
async function send(
  { method, path, values, needsKey }: Action,
  row: ViewRow,
  typed: Readonly<Record<string, string>>,
): Promise<unknown> {
  const given = values.filter(({ in: part, name }) => part !== 'path' && (typed[name] ?? '') !== '');
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(row[name])));
  const query = new URLSearchParams(
    given.flatMap(({ in: part, name }) => (part === 'query' ? [[name, typed[name] ?? '']] : [])),
  );
  const members = given
    .filter(({ in: part }) => part === 'body')
    .map((value) => [value, typed[value.name] ?? ''] as const);
  const [[first, text] = []] = members;
  const body =
    first?.isWhole === true
      ? jsonOf(first, text ?? '')
      : Object.fromEntries(members.map(([value, one]) => [value.name, jsonOf(value, one)]));
  return request(query.size === 0 ? address : `${address}?${query.toString()}`, {
    method,
    ...(values.some(({ in: part }) => part === 'body') ? { body } : {}),
    ...(needsKey === undefined ? {} : { headers: { 'Idempotency-Key': crypto.randomUUID() } }),
  });
}

/** A list has one value on each line. What is no number is left to the platform to refuse. */
function jsonOf(value: Value, text: string): unknown {
  const { isList, ...entry } = value;
  const { kind, name } = entry;
  if (isList !== undefined) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => jsonOf(entry, line));
  }
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  if (kind === 'text') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiError(0, 'BAD_REQUEST', `${name} must be JSON.`);
  }
}
