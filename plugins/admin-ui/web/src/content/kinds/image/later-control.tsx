import { Group, Input, Text, TextInput } from '@mantine/core';
import type { ClipboardEvent, ReactNode } from 'react';
import { mayReader } from '../../../api/platform/initial-data';
import { useFileDrop } from '../../../ui/use-file-drop';
import { ImageDescriptionButton } from '../../image/image-description-button';
import { isStoredImage, Thumbnail } from '../../thumbnail';
import { ChooseButton, UploadActions, UploadStatus } from '../../upload/upload-parts';
import { uploadImage } from '../../../api/upload-image';
import { nameOf, useUpload, type Uploaded } from '../../upload/use-upload';

export interface ImageControlProps {
  readonly id: string;
  readonly label: string;
  readonly description?: ReactNode;
  readonly error: string | undefined;
  readonly required: boolean;
  readonly placeholder: string;
  /** The address; empty without an image. */
  readonly value: string;
  onChange(value: string): void;
}

/** Media types that the chooser of the system offers; the platform looks at the content. */
const accepted = 'image/png,image/jpeg,image/gif,image/webp,image/avif';

/** An image: dropped, pasted or chosen, or the address of one elsewhere. */
export function ImageControl({
  id,
  label,
  description,
  error,
  required,
  placeholder,
  value,
  onChange,
}: ImageControlProps) {
  const upload = useImageUpload(onChange);
  const mayUpload = mayReader('media.upload');
  // The path of an uploaded image says nothing to a reader: the picture is shown instead.
  const isStored = isStoredImage(value);
  const drop = useFileDrop((file) => void upload.send(file));
  const { state } = upload;
  const change = (text: string): void => {
    upload.stop();
    onChange(text);
  };
  const paste = (event: ClipboardEvent): void => {
    const file = event.clipboardData.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void upload.send(file);
  };
  const problem = error ?? (state.kind === 'failed' ? state.message : undefined);
  return (
    <div className="image-control" data-over={drop.over || undefined} onPaste={paste} {...drop.handlers}>
      {isStored ? (
        <Input.Wrapper
          label={label}
          labelElement="div"
          description={description}
          error={problem}
          withAsterisk={required}
          {...(problem === undefined ? {} : { errorProps: { id: `${id}-problem` } })}
        >
          <div className="image-shown">
            <Thumbnail value={value} label={`Preview of ${label}`} size={320} />
          </div>
        </Input.Wrapper>
      ) : (
        <TextInput
          id={id}
          label={label}
          description={description}
          error={problem}
          withAsterisk={required}
          aria-required={required}
          placeholder={placeholder === '' ? 'https://… or /…' : placeholder}
          value={value}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )}
      <Group gap="sm" mt={isStored ? 0 : 'xs'} align="center" className="image-actions">
        {value === '' || isStored ? null : <Thumbnail value={value} label={`Preview of ${label}`} size={96} />}
        <Group gap="xs">
          {mayUpload ? (
            <ChooseButton
              accept={accepted}
              label={label}
              text={isStored ? 'Replace' : 'Choose a file'}
              {...(isStored ? { id } : {})}
              {...(isStored && problem !== undefined ? { describedBy: `${id}-problem` } : {})}
              onChoose={(file) => void upload.send(file)}
            />
          ) : null}
          {isStored || !mayUpload ? null : (
            <Text size="xs" c="dimmed">
              or drop or paste one here
            </Text>
          )}
          {isStored ? <ImageDescriptionButton address={value} label={label} /> : null}
          <UploadActions
            id={id}
            label={label}
            state={state}
            hasValue={value !== ''}
            onRepeat={(file) => void upload.send(file)}
            onRemove={() => change('')}
          />
        </Group>
      </Group>
      <UploadStatus state={state} onStop={upload.stop} />
    </div>
  );
}

function useImageUpload(onStored: (url: string) => void) {
  return useUpload(upload, onStored);
}

async function upload(file: File, options: Parameters<typeof uploadImage>[1]): Promise<Uploaded> {
  const { url, width, height } = await uploadImage(file, options);
  return { url, text: `Uploaded ${nameOf(file)}, ${width} × ${height} pixels.` };
}
