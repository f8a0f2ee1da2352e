// The flag that jest's own workers need (jest.config.cjs) must not reach the processes a test starts.
if (process.env.NODE_OPTIONS !== undefined) {
  const options = process.env.NODE_OPTIONS.replace('--experimental-vm-modules', '').trim();
  if (options === '') delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = options;
}
