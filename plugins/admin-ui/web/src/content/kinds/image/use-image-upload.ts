import { uploadImage } from '../../../api/upload-image';
import { nameOf, useUpload, type Uploaded } from '../../upload/use-upload';

export function useImageUpload(onStored: (url: string) => void) {
  return useUpload(upload, onStored);
}

async function upload(file: File, options: Parameters<typeof uploadImage>[1]): Promise<Uploaded> {
  const { url, width, height } = await uploadImage(file, options);
  return { url, text: `Uploaded ${nameOf(file)}, ${width} × ${height} pixels.` };
}
