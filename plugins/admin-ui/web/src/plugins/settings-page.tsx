import { Button, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { PlatformSchema } from '@gantry/client/platform';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { useParams } from 'react-router-dom';
import { ApiError } from '../api/api-error';
import { callPlatform } from '../api/platform/call-platform';
import { Breadcrumb } from '../ui/page/breadcrumb';
import { Failure } from '../ui/failure';
import { PageHeader } from '../ui/page/page';
import { ErrorState, LoadingState } from '../ui/states';
import { allPluginsQuery } from './plugin-api';

type Settings = PlatformSchema<'PluginSettings'>;
type Values = Readonly<Record<string, string | number | boolean | null>>;

/** The settings of a plugin, as its schema describes them. */
export function SettingsPage() {
  const { plugin = '' } = useParams();
  const plugins = useQuery(allPluginsQuery).data?.plugins ?? [];
  const { displayName = plugin } = plugins.find(({ id }) => id === plugin) ?? {};
  const settings = useQuery({
    queryKey: ['plugins', 'settings', plugin],
    queryFn: async ({ signal }) =>
      (await callPlatform('GET', '/api/platform/plugins/{id}/settings', { path: { id: plugin } }, signal)).data,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const links = [
    { to: '/plugins', text: 'Plugins' },
    { to: `/plugins?plugin=${encodeURIComponent(plugin)}`, text: displayName },
  ];
  return (
    <>
      <PageHeader title="Settings" tabTitle={`Settings of ${displayName}`} breadcrumb={<Breadcrumb links={links} />} />
      {settings.error === null ? null : (
        <ErrorState
          error={settings.error}
          title="The settings could not be loaded"
          onRetry={() => void settings.refetch()}
        />
      )}
      {settings.data === undefined && settings.error === null ? <LoadingState rows={4} /> : null}
      {settings.data === undefined ? null : (
        <SettingsForm key={settings.dataUpdatedAt} plugin={plugin} settings={settings.data} />
      )}
    </>
  );
}

function SettingsForm({ plugin, settings }: { readonly plugin: string; readonly settings: Settings }) {
  const client = useQueryClient();
  /** Changes that are not saved: null takes a value back. */
  const [changes, setChanges] = useState<Values>({});
  const save = useMutation({
    mutationFn: async () =>
      callPlatform('PATCH', '/api/platform/plugins/{id}/settings', { path: { id: plugin }, body: { values: changes } }),
    onSuccess: async () => client.invalidateQueries({ queryKey: ['plugins', 'settings', plugin] }),
  });
  const problems = save.error instanceof ApiError ? save.error.details : [];
  const problemOf = (name: string): string | undefined =>
    problems.find(({ path }) => path === `values.${name}`)?.message;
  const isShown =
    problems.length > 0 && problems.every(({ path }) => path.slice('values.'.length) in settings.properties);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg" maw={720}>
        <Failure error={isShown ? null : save.error} />
        {Object.entries(settings.properties).map(([name, schema]) => (
          <Setting
            key={name}
            name={name}
            schema={schema as SettingSchema}
            isSet={settings.secrets.includes(name)}
            value={name in changes ? changes[name] : (settings.values[name] as Values[string] | undefined)}
            error={problemOf(name)}
            onChange={(value) => setChanges((known) => ({ ...known, [name]: value }))}
          />
        ))}
        <div>
          <Button type="submit" loading={save.isPending} disabled={Object.keys(changes).length === 0}>
            Save
          </Button>
        </div>
      </Stack>
    </form>
  );
}

interface SettingSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly secret?: boolean;
}

interface SettingProps {
  readonly name: string;
  readonly schema: SettingSchema;
  /** The secret has a value, which is not shown. */
  readonly isSet: boolean;
  readonly value: Values[string] | undefined;
  readonly error: string | undefined;
  onChange(value: Values[string]): void;
}

function Setting({ name, schema, isSet, value, error, onChange }: SettingProps) {
  const { type: jsonType, title = name, description, default: usual, enum: options } = schema;
  const shared = { label: title, description, error };
  const text = value === undefined || value === null ? '' : String(value);
  const without = usual === undefined ? 'None' : `Default: ${nameOf(usual)}`;
  if (schema.secret === true) {
    const kept = isSet && value !== null;
    return (
      <PasswordInput
        {...shared}
        autoComplete="new-password"
        placeholder={kept ? 'Stored; type to replace it' : 'None'}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        rightSectionWidth={kept ? 90 : undefined}
        rightSection={
          kept ? (
            <Button size="compact-xs" variant="default" onClick={() => onChange(null)}>
              Remove
            </Button>
          ) : undefined
        }
      />
    );
  }
  if (jsonType === 'boolean' || options !== undefined) {
    const choices = options ?? ['true', 'false'];
    return (
      <NativeSelect
        {...shared}
        value={text}
        data={[{ value: '', label: without }, ...choices.map((choice) => ({ value: choice, label: nameOf(choice) }))]}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChange(chosen === '' ? null : jsonType === 'boolean' ? chosen === 'true' : chosen)
        }
      />
    );
  }
  const isNumber = jsonType === 'number' || jsonType === 'integer';
  return (
    <TextInput
      {...shared}
      type={isNumber ? 'number' : 'text'}
      step="any"
      placeholder={without}
      value={text}
      onChange={({ currentTarget: { value: typed } }) =>
        onChange(typed === '' ? null : isNumber ? Number(typed) : typed)
      }
    />
  );
}

function nameOf(value: unknown): string {
  if (value === true || value === 'true') return 'Yes';
  return value === false || value === 'false' ? 'No' : String(value);
}
