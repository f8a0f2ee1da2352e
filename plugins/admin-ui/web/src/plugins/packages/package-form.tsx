import { FileInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { PluginReport } from '@gantry/contracts';
import { useState } from 'react';
import type { WantedPackage } from './package-api';

/** Choices of the reader so far. */
export interface PackageChoice {
  readonly from: 'registry' | 'file';
  readonly name: string;
  readonly version: string;
  readonly file: File | null;
}

export interface PackageForm {
  readonly choice: PackageChoice;
  set(changed: Partial<PackageChoice>): void;
  /** Undefined while something is missing. */
  readonly wanted: WantedPackage | undefined;
  /** Whether the name of the package is known from the plugin. */
  readonly isNamed: boolean;
}

const nothing: PackageChoice = { from: 'registry', name: '', version: '', file: null };

/** @param plugin the one that is to be upgraded; undefined to install another one */
export function usePackageForm(plugin: PluginReport | undefined): PackageForm {
  const isNamed = plugin?.installed?.source === 'registry';
  const [choice, setChoice] = useState<PackageChoice>({
    ...nothing,
    from: plugin === undefined || isNamed ? 'registry' : 'file',
  });
  return {
    choice,
    set: (changed) => setChoice((before) => ({ ...before, ...changed })),
    isNamed,
    wanted: wantedOf(choice, isNamed ? plugin : undefined),
  };
}

function wantedOf({ from, name, version, file }: PackageChoice, named: PluginReport | undefined) {
  if (from === 'file') return file === null ? undefined : { file };
  const wanted = version.trim() === '' ? {} : { version: version.trim() };
  if (named !== undefined) return wanted;
  return name.trim() === '' ? undefined : { package: name.trim(), ...wanted };
}

export interface PackageFieldsProps {
  readonly form: PackageForm;
  /** Name of the package, where that is known. */
  readonly packageName: string | undefined;
}

/** Asks where a package comes from. */
export function PackageFields({ form, packageName }: PackageFieldsProps) {
  const { choice, set, isNamed } = form;
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Source"
        value={choice.from}
        onChange={(from) => set({ from: from === 'file' ? 'file' : 'registry' })}
      >
        <Stack gap="xs" mt="xxs">
          <Radio value="registry" label="Registry of npm, as configured on the platform" />
          <Radio value="file" label="Tarball of npm pack (.tgz)" />
        </Stack>
      </Radio.Group>
      {choice.from === 'file' ? (
        <FileInput
          label="File"
          placeholder="Choose a file"
          accept=".tgz,.tar.gz,application/gzip"
          value={choice.file}
          onChange={(file) => set({ file })}
          clearable
        />
      ) : (
        <>
          {isNamed ? (
            <Text size="sm" className="long-text">
              Package: <b>{packageName}</b>
            </Text>
          ) : (
            <TextInput
              label="Package"
              placeholder="@acme/gantry-plugin-recipes"
              value={choice.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              spellCheck={false}
              data-autofocus
            />
          )}
          <TextInput
            label="Version"
            placeholder="The newest one"
            value={choice.version}
            onChange={(event) => set({ version: event.currentTarget.value })}
            spellCheck={false}
          />
        </>
      )}
      <Text size="sm" c="dimmed">
        The code of a plugin runs with all rights of the platform. Use only packages from sources that you trust.
      </Text>
    </Stack>
  );
}
