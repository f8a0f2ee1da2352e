import { Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { imageDescriptionQuery, imageDescriptionType, type FocalPoint } from '../../api/image-description';
import { createItem, updateItem } from '../../api/items';
import { may } from '../../common/may';
import { typesQuery } from '../../api/queries';
import { Dialog } from '../../ui/dialog';
import { FocalPointPicker } from './focal-point-picker';
import { useImageDescription, type ImageDescription } from './use-image-description';

interface ImageDescriptionButtonProps {
  /** Of an uploaded image. */
  readonly address: string;
  /** The field that has it. */
  readonly label: string;
}

/** Opens what is known of an image, wherever that is used: its alternative text and its focal point. */
export function ImageDescriptionButton({ address, label }: ImageDescriptionButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const description = useImageDescription(address);
  const { data: types = [] } = useQuery(typesQuery);
  const type = types.find((one) => one.type === imageDescriptionType);
  if (type === undefined || !may(type, description.item === undefined ? 'create' : 'update')) return null;
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setIsOpen(true)}>
        Describe<span className="visually-hidden"> the image of {label}</span>
      </Button>
      <Dialog opened={isOpen} onClose={() => setIsOpen(false)} title="Describe the image" size="lg">
        <DescriptionForm address={address} description={description} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

interface DescriptionFormProps {
  readonly address: string;
  readonly description: ImageDescription;
  onDone(): void;
}

function DescriptionForm({ address, description, onDone }: DescriptionFormProps) {
  const id = useId();
  const client = useQueryClient();
  const [text, setText] = useState(description.alternativeText ?? '');
  const [point, setPoint] = useState<FocalPoint | undefined>(description.focalPoint);
  const save = useMutation({
    mutationFn: () => {
      const values = { alternativeText: text.trim() === '' ? null : text, focalPoint: point ?? null };
      return description.item === undefined
        ? createItem(imageDescriptionType, { address, ...values })
        : updateItem(imageDescriptionType, description.item, values);
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: imageDescriptionQuery(address).queryKey });
      onDone();
    },
  });
  return (
    // No form: it would be one within the form of the item, whose Enter and Ctrl+S are for that.
    <Stack>
      <TextInput
        label="Alternative text"
        description="Description of the image for people who cannot see it."
        value={text}
        maxLength={255}
        onChange={(event) => setText(event.currentTarget.value)}
        error={save.error === null ? undefined : messageOf(save.error)}
      />
      <Input.Wrapper
        label="Focal point"
        labelElement="div"
        description="The part that stays visible when the image is cropped."
      >
        <FocalPointPicker id={`${id}-x`} label="Focal point" address={address} value={point} onChange={setPoint} />
      </Input.Wrapper>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          Save description
        </Button>
      </Group>
    </Stack>
  );
}
