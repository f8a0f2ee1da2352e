import { createContext, useCallback, useState } from 'react';

/** Notifies the form of a control that an upload has started; returns a function that notifies it of the end. */
export type BeginUpload = () => () => void;

export const PendingUploads = createContext<BeginUpload>(() => () => undefined);

/** Whether files are on their way, so that a form is not saved without them. */
export function usePendingUploads(): { readonly uploading: boolean; readonly beginUpload: BeginUpload } {
  const [count, setCount] = useState(0);
  const beginUpload = useCallback(() => {
    setCount((known) => known + 1);
    return () => setCount((known) => known - 1);
  }, []);
  return { uploading: count > 0, beginUpload };
}
