const { withoutFlags } = require('./worker-flags.cjs');

// The flags of jest's own workers must not reach the processes that a test starts.
const options = withoutFlags(process.env.NODE_OPTIONS).join(' ');
if (options === '') delete process.env.NODE_OPTIONS;
else process.env.NODE_OPTIONS = options;
