const { modules } = require('@gantry/host/modules');
const { runHost } = require('@gantry/host/run-host');
const { announcements } = require('./index.js');

void runHost([...modules, announcements]);
