/**
 * The room's second face: the address and token of a workspace, for commands that finish before the rest of the room would have
 * loaded.
 */
export { appAround } from './app-folder.ts';
export {
  type Credentials,
  credentialsFile,
  findLogin,
  type Login,
  readCredentials,
  removeLogin,
  saveLogin,
} from './credentials.ts';
export {
  changePreferences,
  chosenFor,
  type Preferences,
  type Profile,
  preferencesFile,
  readPreferences,
} from './preferences.ts';
export {
  type AskedFor,
  checkProfileName,
  chooseAccess,
  localProfile,
  onlyLogin,
  type Remote,
  resolvePlace,
  resolveRemote,
  routesOf,
  unknownProfile,
} from './profiles.ts';
export { configFolder, stateFolder } from './user-folders.ts';
