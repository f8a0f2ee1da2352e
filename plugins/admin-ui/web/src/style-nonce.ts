import { setNonce } from 'get-nonce';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

/** The nonce without which the content security policy refuses a style element. */
export function styleNonce(): string {
  return nonce;
}

/** For the scroll lock of dialogs, which makes its style element by itself. */
export function applyStyleNonce(): void {
  setNonce(nonce);
}
