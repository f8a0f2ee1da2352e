import { Button, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { UploadIcon } from '../../ui/icons';
import { useFileDrop } from '../../ui/use-file-drop';

/** A place to drop a file, and a button that asks for one. */
export function FileChooser({ file, onChoose }: { readonly file: File | undefined; onChoose(file: File): void }) {
  const input = useRef<HTMLInputElement>(null);
  const { over, handlers } = useFileDrop(onChoose);
  return (
    <div className="drop-zone" data-over={over || undefined} {...handlers}>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File"
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,application/json"
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          // The same file, corrected meanwhile, may be chosen again.
          event.currentTarget.value = '';
          if (chosen !== undefined) onChoose(chosen);
        }}
      />
      <Group gap="sm" justify={file === undefined ? 'center' : 'flex-start'}>
        <Button
          variant={file === undefined ? 'filled' : 'default'}
          leftSection={<UploadIcon size={16} />}
          onClick={() => input.current?.click()}
        >
          {file === undefined ? 'Choose a file' : 'Choose another file'}
        </Button>
        <Text size="sm" c={file === undefined ? 'dimmed' : undefined} className="page-title">
          {file === undefined ? 'or drop a CSV, JSON Lines or JSON file here' : `${file.name} · ${sizeText(file.size)}`}
        </Text>
      </Group>
    </div>
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kibibytes = bytes / 1024;
  return kibibytes < 1024 ? `${kibibytes.toFixed(1)} KiB` : `${(kibibytes / 1024).toFixed(1)} MiB`;
}
