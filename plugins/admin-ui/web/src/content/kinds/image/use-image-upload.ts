import { useContext, useEffect, useRef, useState } from 'react';
import { isUnavailable, messageOf } from '../../../api/api-error';
import { uploadImage } from '../../../api/upload-image';
import { PendingUploads } from '../../form/pending-uploads';

/** The state of the upload of one field. */
export type UploadState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly file: File; readonly sent: number }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly file: File; readonly message: string; readonly mayRepeat: boolean };

/** Uploads one file at a time for a field; a later one takes the place of an earlier one. */
export function useImageUpload(onStored: (url: string) => void) {
  const [state, setState] = useState<UploadState>({ kind: 'idle' });
  const running = useRef<AbortController>(undefined);
  const begin = useContext(PendingUploads);
  useEffect(() => () => running.current?.abort(), []);

  const stop = (): void => {
    running.current?.abort();
    running.current = undefined;
    setState({ kind: 'idle' });
  };
  const send = async (file: File): Promise<void> => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const end = begin();
    setState({ kind: 'sending', file, sent: 0 });
    try {
      const onProgress = (sent: number): void => setState({ kind: 'sending', file, sent });
      const { url, width, height } = await uploadImage(file, { signal: abort.signal, onProgress });
      setState({ kind: 'done', text: `Uploaded ${nameOf(file)}, ${width} × ${height} pixels.` });
      onStored(url);
    } catch (error) {
      // It was stopped, or another file took its place.
      if (abort.signal.aborted) return;
      setState({
        kind: 'failed',
        file,
        message: `${nameOf(file)}: ${messageOf(error)}`,
        mayRepeat: isUnavailable(error),
      });
    } finally {
      end();
    }
  };
  return { state, send, stop, forget: () => setState({ kind: 'idle' }) };
}

/** Files from the clipboard may have no name, and others one that fills the page. */
export function nameOf({ name }: File): string {
  if (name === '') return 'the image';
  return name.length > 60 ? `${name.slice(0, 57)}…` : name;
}
