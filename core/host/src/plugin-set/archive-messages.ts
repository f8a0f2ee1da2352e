import { z } from 'zod';

/** The message that the process starts with which stores archives. */
export const archiveStartSchema = z.object({
  databaseUrl: z.string(),
  home: z.string(),
  packages: z.array(z.object({ id: z.string(), hash: z.string(), source: z.string().optional() })),
});

export type ArchiveStart = z.infer<typeof archiveStartSchema>;

/** Its only message. */
export type ArchiveAnswer =
  | { readonly kind: 'archived' }
  | {
      readonly kind: 'not-archived';
      readonly message: string;
      /** Of a package that cannot be archived, what to do about it. */
      readonly remedy?: string;
    };
