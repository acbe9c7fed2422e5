#!/usr/bin/env node
import { launch } from './launch.js';

// `send-template` is `fn template send` under a name of its own.
launch(['template', 'send']);
