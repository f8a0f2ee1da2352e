import './live.css';
import { Button, CloseButton, Group, Text } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useState } from 'react';
import { versionOf } from '../../api/changes';
import type { Item } from '../../api/items';
import { useForeignChanges } from '../../api/live/live-changes';
import { LinkButton } from '../../ui/page/link-button';
import { actorText } from '../../ui/text/change-text';

export interface ChangedMeanwhileProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
  /** When it was read, in milliseconds. */
  readonly readAt: number;
  /** Reads the item again; what is typed stays. */
  onLoad(): void;
}

/** Says over the page that somebody has changed the item that is open: nothing of the page moves, and nothing typed is lost. */
export function ChangedMeanwhile({ metadata, item, readAt, onLoad }: ChangedMeanwhileProps) {
  const changes = useForeignChanges(metadata.code, readAt);
  const [closed, setClosed] = useState<string>();
  const change = [...changes.values()].find((one) => String(one.change.id) === item.id)?.change;
  const version = versionOf(item) ?? 0;
  const isGone = change?.action === 'deleted' || change?.action === 'left';
  const isNews = change !== undefined && closed !== change.position && (isGone || change.version > version);
  const history = `/content/${metadata.code}/${item.id}/history`;
  return (
    <div role="status" className="changed-meanwhile" hidden={!isNews}>
      {!isNews ? null : (
        <>
          <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
            <Text size="sm">
              <b>
                <bdi>{actorText(change)}</bdi>
              </b>{' '}
              {isGone ? 'deleted' : 'changed'} this {metadata.displayName}. Your changes are kept.
            </Text>
            <CloseButton size="sm" aria-label="Close" onClick={() => setClosed(change.position)} />
          </Group>
          <Group gap="xs" mt="xs">
            {isGone ? null : (
              <Button size="compact-sm" variant="default" onClick={onLoad}>
                Load the new version
              </Button>
            )}
            <LinkButton
              size="compact-sm"
              variant="subtle"
              to={isGone || version === 0 ? history : `${history}?from=${version}&to=${change.version}`}
            >
              View the changes
            </LinkButton>
          </Group>
        </>
      )}
    </div>
  );
}
