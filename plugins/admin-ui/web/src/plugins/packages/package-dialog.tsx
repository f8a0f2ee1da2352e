import { Alert, Button, Checkbox, Group, Loader, Stack, Text } from '@mantine/core';
import type { PluginReport } from '@gantry/contracts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { Dialog } from '../../ui/dialog';
import { ErrorState } from '../../ui/states';
import { CheckReport } from '../check/check-report';
import { fetchPackage, type FoundPackage, type WantedPackage } from './package-api';
import { PackageFields, usePackageForm } from './package-form';
import type { PackageChanging } from './use-package-change';

export interface PackageDialogProps {
  /** The plugin that is to be upgraded; undefined to install another one. */
  readonly plugin: PluginReport | undefined;
  readonly opened: boolean;
  readonly changing: PackageChanging;
  onClose(): void;
  /** Called when the change has been asked for. */
  onChanged(): void;
}

/** Asks for a package, lets the platform fetch and check it, shows what was found, and installs it. */
export function PackageDialog({ plugin, opened, changing, onClose, onChanged }: PackageDialogProps) {
  const form = usePackageForm(plugin);
  const reading = usePackageReading(plugin?.id);
  const found = reading.fetched.data;
  const close = (): void => {
    reading.stop();
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      size="lg"
      title={plugin === undefined ? 'Install a plugin' : `Upgrade ${plugin.displayName}`}
    >
      {found === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (form.wanted !== undefined) reading.fetched.mutate(form.wanted);
          }}
        >
          <Stack gap="sm">
            <PackageFields form={form} packageName={plugin?.packageName} />
            <Reading reading={reading} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" disabled={form.wanted === undefined} loading={reading.fetched.isPending}>
                Check
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <PackageFindings
          {...{ plugin, found, changing, onChanged }}
          onBack={() => {
            reading.stop();
            changing.reset();
          }}
        />
      )}
    </Dialog>
  );
}

interface PackageReading {
  readonly fetched: ReturnType<typeof useMutation<FoundPackage, Error, WantedPackage>>;
  /** Ends what is under way, and forgets what was found. */
  stop(): void;
}

function usePackageReading(plugin: string | undefined): PackageReading {
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const fetched = useMutation<FoundPackage, Error, WantedPackage>({
    mutationFn: (wanted) => {
      controller.current = new AbortController();
      return fetchPackage(wanted, plugin, controller.current.signal);
    },
    networkMode: 'always',
  });
  return {
    fetched,
    stop: () => {
      controller.current?.abort();
      fetched.reset();
    },
  };
}

function Reading({ reading: { fetched } }: { readonly reading: PackageReading }) {
  const { error } = fetched;
  const newest = error instanceof ApiError ? error.details.find(({ code }) => code === 'UP_TO_DATE') : undefined;
  return (
    <>
      {fetched.isPending ? (
        <Group gap="sm" role="status">
          <Loader size="sm" />
          <Text size="sm">The platform fetches the package and checks it in a separate process …</Text>
        </Group>
      ) : null}
      {newest === undefined ? null : (
        <Alert color="green" role="status">
          {newest.message}
        </Alert>
      )}
      {error === null || newest !== undefined ? null : (
        <ErrorState error={error} title="The package could not be checked" once />
      )}
    </>
  );
}

interface PackageFindingsProps extends Pick<PackageDialogProps, 'plugin' | 'changing' | 'onChanged'> {
  readonly found: FoundPackage;
  onBack(): void;
}

/** A package that was checked, and what can be done with it. */
function PackageFindings({ plugin, found, changing, onChanged, onBack }: PackageFindingsProps) {
  const [enabled, setEnabled] = useState(true);
  const { replaces, report } = found;
  const isNew = replaces === undefined;
  const { install, upgrade } = changing;
  const error = install.error ?? upgrade.error;
  const isDestructive = report.lines.some(({ rule }) => rule === 'schema/destructive');
  const start = (): void => {
    if (isNew) install.mutate({ found, enabled }, { onSuccess: onChanged });
    else upgrade.mutate(found, { onSuccess: onChanged });
  };
  return (
    <Stack gap="sm">
      <FoundText found={found} />
      {plugin === undefined && !isNew ? (
        <Alert color="yellow" title="The plugin is already installed">
          The package replaces version {replaces}.
        </Alert>
      ) : null}
      <CheckReport report={report} plugin={undefined} />
      {isNew ? (
        <Checkbox
          label="Enable it"
          description="If not selected, the plugin is installed and stays disabled."
          checked={enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
      ) : null}
      {error === null ? null : <ErrorState error={error} title={isNew ? 'Not installed' : 'Not upgraded'} once />}
      <Group justify="flex-end" className="dialog-foot">
        <Button variant="default" onClick={onBack} data-autofocus>
          Back
        </Button>
        <Button
          color={isDestructive ? 'red' : undefined}
          disabled={report.outcome === 'problem'}
          loading={install.isPending || upgrade.isPending}
          onClick={start}
        >
          {isNew ? 'Install' : isDestructive ? 'Upgrade, and change values' : 'Upgrade'}
        </Button>
      </Group>
    </Stack>
  );
}

function FoundText({ found: { displayName, plugin, installed, replaces } }: { readonly found: FoundPackage }) {
  const step = replaces === undefined ? `version ${installed.version}` : `version ${replaces} → ${installed.version}`;
  return (
    <div>
      <Text fw={600} className="long-text">
        {displayName} ({plugin}), {step}
      </Text>
      <Text size="sm" c="dimmed" className="long-text">
        {installed.from}
        {installed.integrity === undefined ? null : ` · ${installed.integrity}`}
      </Text>
    </div>
  );
}
