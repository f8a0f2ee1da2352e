import { useContext, useEffect, useRef, useState } from 'react';
import { isUnavailable, messageOf } from '../../api/api-error';
import type { Upload } from '../../api/send-file';
import { PendingUploads } from '../form/pending-uploads';

/** The state of the upload of one field. */
export type UploadState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly file: File; readonly sent: number }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly file: File; readonly message: string; readonly mayRepeat: boolean };

/** Result of an upload: the value of the field, and a sentence about it. */
export interface Uploaded {
  readonly url: string;
  readonly text: string;
}

/**
 * Uploads one file at a time for a field; a later one takes the place of an earlier one.
 * @param problemOf says what is wrong with a file that need not be sent
 */
export function useUpload(
  upload: (file: File, options: Upload) => Promise<Uploaded>,
  onStored: (url: string) => void,
  problemOf: (file: File) => string | undefined = () => undefined,
) {
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
    const problem = problemOf(file);
    if (problem !== undefined) {
      setState({ kind: 'failed', file, message: `${nameOf(file)}: ${problem}`, mayRepeat: false });
      return;
    }
    const abort = new AbortController();
    running.current = abort;
    const end = begin();
    setState({ kind: 'sending', file, sent: 0 });
    try {
      const onProgress = (sent: number): void => setState({ kind: 'sending', file, sent });
      const { url, text } = await upload(file, { signal: abort.signal, onProgress });
      setState({ kind: 'done', text });
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
  return { state, send, stop };
}

/** Files from the clipboard may have no name, and others one that fills the page. */
export function nameOf({ name: given }: File): string {
  // Controls and marks of direction could make it, and the sentence around it, read as another one.
  const name = given.replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
  if (name === '') return 'the file';
  return name.length > 60 ? `${name.slice(0, 57)}…` : name;
}
