/** Where the host serves the application. */
export const basePath = '/admin';
