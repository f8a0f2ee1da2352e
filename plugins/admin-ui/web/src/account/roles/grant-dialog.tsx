import { Button, Group } from '@mantine/core';
import type { ItemMetadata, ModelInfo } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { metadataQuery } from '../../api/queries';
import { Dialog } from '../../ui/dialog';
import { LoadingState } from '../../ui/states';

interface GrantDialogProps {
  readonly type: ModelInfo;
  /** The part of the type to which the grant is restricted here. */
  readonly part: 'Fields' | 'Items';
  readonly children: (metadata: ItemMetadata) => ReactNode;
  onClose(): void;
}

/** A part of a grant on one type; changes of it are changes of the role, which is saved as a whole. */
export function GrantDialog({ type, part, children, onClose }: GrantDialogProps) {
  const metadata = useQuery(metadataQuery(type.type));
  return (
    <Dialog opened onClose={onClose} title={`${part} of ${type.displayNamePlural}`} size="lg">
      {metadata.data === undefined ? <LoadingState rows={4} /> : children(metadata.data)}
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Dialog>
  );
}
