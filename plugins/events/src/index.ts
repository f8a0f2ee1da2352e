import { definePlugin } from '@gantry/plugin-api';
import { migrations } from './migrations';
import { Event } from './event';
import { TopEventComponent } from './top-event-component';

export { Event, TopEventComponent };

export default definePlugin({ id: 'events', itemTypes: [Event, TopEventComponent], migrations });
