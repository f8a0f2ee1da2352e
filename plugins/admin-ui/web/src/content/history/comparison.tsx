import { CloseButton, Group, NativeSelect, Text, Title } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { differencesQuery, type ItemChange } from '../../api/changes';
import { parseTime } from '../../ui/time/exact-time';
import { ErrorState, LoadingState } from '../../ui/states';
import { DifferenceList } from './difference-list';

/** The versions that are compared. */
export interface Versions {
  readonly from: number;
  readonly to: number;
}

export interface VersionChoiceProps {
  readonly changes: readonly ItemChange[];
  readonly versions: Versions | undefined;
  onChange(versions: Versions): void;
}

/** Chooses two versions to compare. */
export function VersionChoice({ changes, versions, onChange }: VersionChoiceProps) {
  const known = [...new Set(changes.map(({ version }) => version))];
  const [newest = 0] = known;
  const chosen = versions ?? { from: known[1] ?? newest, to: newest };
  const options = [...new Set([...known, chosen.from, chosen.to])].toSorted((left, right) => right - left);
  const data = options.map((version) => ({ value: String(version), label: labelOf(version, changes) }));
  return (
    <Group gap="xs" role="group" aria-label="Compare versions" className="version-choice">
      <Text size="sm">Compare</Text>
      <NativeSelect
        aria-label="First version"
        size="xs"
        data={data}
        value={String(chosen.from)}
        onChange={(event) => onChange({ ...chosen, from: Number(event.currentTarget.value) })}
      />
      <Text size="sm">with</Text>
      <NativeSelect
        aria-label="Second version"
        size="xs"
        data={data}
        value={String(chosen.to)}
        onChange={(event) => onChange({ ...chosen, to: Number(event.currentTarget.value) })}
      />
    </Group>
  );
}

const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function labelOf(version: number, changes: readonly ItemChange[]): string {
  const change = changes.find((known) => known.version === version);
  const time = parseTime(change?.at);
  return time === undefined ? `Version ${version}` : `Version ${version}, ${times.format(time)}`;
}

export interface ComparisonProps {
  readonly metadata: ItemMetadata;
  readonly id: string;
  readonly versions: Versions;
  onClose(): void;
}

/** How two versions differ. */
export function Comparison({ metadata, id, versions: { from, to }, onClose }: ComparisonProps) {
  const differences = useQuery(differencesQuery(metadata.code, id, from, to));
  const heading = useRef<HTMLHeadingElement>(null);
  // It opens above what was pressed.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="history-card" aria-labelledby={headingId}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Title order={2} id={headingId} ref={heading} tabIndex={-1} className="quiet-focus">
          Version {from} compared with version {to}
        </Title>
        <CloseButton aria-label="Close the comparison" onClick={onClose} />
      </Group>
      {differences.error === null ? null : (
        <ErrorState
          error={differences.error}
          title="The versions could not be compared"
          onRetry={() => void differences.refetch()}
        />
      )}
      {differences.isPending ? <LoadingState rows={2} /> : null}
      {differences.data?.length === 0 ? (
        <Text size="sm" c="dimmed">
          They have the same values in all fields that you can see.
        </Text>
      ) : null}
      {differences.data === undefined ? null : <DifferenceList metadata={metadata} differences={differences.data} />}
    </section>
  );
}

const headingId = 'comparison';
