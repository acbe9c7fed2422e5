/**
 * The room's second face: where a workspace is and what opens it, for commands that are over before the rest of the room would be
 * loaded.
 */
export {
  type Credentials,
  credentialsFile,
  findLogin,
  type Login,
  readCredentials,
  removeLogin,
  saveLogin,
} from './credentials.ts';
export { changePreferences, type Preferences, type Profile, preferencesFile, readPreferences } from './preferences.ts';
export {
  checkProfileName,
  chooseAccess,
  localProfile,
  type Remote,
  resolvePlace,
  resolveRemote,
  routesOf,
  unknownProfile,
} from './profiles.ts';
export { configFolder, isCi, stateFolder } from './user-folders.ts';
