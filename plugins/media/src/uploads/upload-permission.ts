/** Who has it may also see images that no item has yet. */
export const uploadPermission = 'media.upload';
