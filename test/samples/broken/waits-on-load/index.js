// A module that is never done.
await new Promise(() => {});
