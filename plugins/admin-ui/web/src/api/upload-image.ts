import { sendFile, type Upload } from './send-file';

/** Response of the platform to an upload. */
export interface UploadedImage {
  /** The value for an IMAGE field. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** Sends a file to be stored as an image. @throws as {@link sendFile} */
export function uploadImage(file: File, upload: Upload): Promise<UploadedImage> {
  const mediaType = file.type.startsWith('image/') ? file.type : 'application/octet-stream';
  const missing = 'Images cannot be uploaded, because the plugin media is not in use. Enable it, or enter an address.';
  return sendFile(file, { path: '/media/images', mediaType, missing }, upload);
}
