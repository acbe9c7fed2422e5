const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i;

/** Whether Windows treats a file name as a device, whatever its extension: such a file cannot be checked out there. */
export function isWindowsDevice(fileName: string): boolean {
  return device.test((fileName.split('.', 1)[0] ?? '').trimEnd());
}
