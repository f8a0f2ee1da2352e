import { useWindowEvent } from '@mantine/hooks';
import { useState, type DragEvent } from 'react';

/** Takes a file that is dropped on an element, and keeps the browser from opening one that is dropped beside it. */
export function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  useWindowEvent('dragover', keepPage);
  useWindowEvent('drop', keepPage);
  const handlers = {
    onDragOver: (event: DragEvent): void => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    },
    onDragLeave: (event: DragEvent): void => {
      const into = event.relatedTarget;
      if (!(into instanceof Node) || !event.currentTarget.contains(into)) setOver(false);
    },
    onDrop: (event: DragEvent): void => {
      setOver(false);
      const file = event.dataTransfer.files[0];
      if (file === undefined) return;
      event.preventDefault();
      onFile(file);
    },
  };
  return { over, handlers };
}

/** The browser would leave the page for a file that is dropped on it. */
function keepPage(event: globalThis.DragEvent): void {
  if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
}
