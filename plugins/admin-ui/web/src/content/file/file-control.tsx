import { Group, Input, Text } from '@mantine/core';
import type { FileRules } from '@gantry/contracts';
import { mayReader } from '../../api/platform/initial-data';
import { sendFile, type Upload } from '../../api/send-file';
import { useFileDrop } from '../../ui/use-file-drop';
import { textOf } from '../kinds/control-attributes';
import type { ControlProps } from '../kinds/field-view';
import { ChooseButton, UploadActions, UploadStatus } from '../upload/upload-parts';
import { nameOf, useUpload, type Uploaded } from '../upload/use-upload';
import { FileLink } from './file-link';
import { sizeText, storedFile } from './stored-file';

/** A file: dropped or chosen. Its address says nothing to a reader, so that it cannot be typed. */
export function FileControl(props: ControlProps) {
  const { id, field, error, onChange } = props;
  const { upload: path = '', accept, maxBytes } = field.file ?? ({} as Partial<FileRules>);
  const upload = useUpload(uploadTo(path), onChange, (file) => problemOf(file, { accept, maxBytes }));
  const mayUpload = mayReader('media.upload');
  const drop = useFileDrop((file) => (mayUpload ? void upload.send(file) : undefined));
  const { state } = upload;
  const value = textOf(props);
  const file = storedFile(value);
  const problem = error ?? (state.kind === 'failed' ? state.message : undefined);
  const limits = limitsText({ accept, maxBytes });
  const remove = (): void => {
    upload.stop();
    onChange('');
  };
  return (
    <div className="image-control" data-over={drop.over || undefined} {...drop.handlers}>
      <Input.Wrapper
        label={field.displayName}
        labelElement="div"
        description={[field.help, limits].filter(Boolean).join(' ') || undefined}
        error={problem}
        withAsterisk={field.required}
        {...(problem === undefined ? {} : { errorProps: { id: `${id}-problem` } })}
      >
        {value === '' ? null : (
          <div className="file-shown">
            {file === undefined ? <span dir="auto">{value}</span> : <FileLink file={file} />}
          </div>
        )}
      </Input.Wrapper>
      <Group gap="xs" mt="xs" align="center">
        {mayUpload ? (
          <ChooseButton
            id={id}
            label={field.displayName}
            text={value === '' ? 'Choose a file' : 'Replace'}
            accept={accept?.join(',')}
            {...(problem === undefined ? {} : { describedBy: `${id}-problem` })}
            onChoose={(chosen) => void upload.send(chosen)}
          />
        ) : null}
        {value === '' ? (
          <Text size="xs" c="dimmed">
            {mayUpload ? 'or drop one here' : 'Your roles do not let you upload files.'}
          </Text>
        ) : null}
        <UploadActions
          id={id}
          label={field.displayName}
          state={state}
          hasValue={value !== ''}
          onRepeat={(chosen) => void upload.send(chosen)}
          onRemove={remove}
        />
      </Group>
      <UploadStatus state={state} onStop={upload.stop} />
    </div>
  );
}

type Limits = { readonly [Name in 'accept' | 'maxBytes']: FileRules[Name] | undefined };

function problemOf({ name, size }: File, { accept, maxBytes }: Limits): string | undefined {
  if (accept !== undefined && !accept.some((ending) => name.toLowerCase().endsWith(ending))) {
    return `The name must end in ${accept.join(', ')}.`;
  }
  if (maxBytes !== undefined && size > maxBytes) {
    return `The file has ${sizeText(size)}; the maximum is ${sizeText(maxBytes)}.`;
  }
  return undefined;
}

function limitsText({ accept, maxBytes }: Limits): string {
  const kinds = accept === undefined ? '' : `${accept.join(', ')}${maxBytes === undefined ? '.' : ', '}`;
  if (maxBytes === undefined) return kinds;
  return `${kinds}${kinds === '' ? 'At' : 'at'} most ${sizeText(maxBytes)}.`;
}

function uploadTo(path: string): (file: File, upload: Upload) => Promise<Uploaded> {
  return async (file, upload) => {
    const target = {
      path: `${path}?name=${encodeURIComponent(file.name === '' ? 'file' : file.name)}`,
      mediaType: 'application/octet-stream',
      missing:
        'Files cannot be uploaded, because the plugin that stores them is not in use. Enable it in the list of plugins.',
    };
    const { url, bytes } = await sendFile<{ readonly url: string; readonly bytes: number }>(file, target, upload);
    return { url, text: `Uploaded ${nameOf(file)}, ${sizeText(bytes)}.` };
  };
}
