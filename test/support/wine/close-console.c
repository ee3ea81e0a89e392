/* close-console PROGRAM: tells all processes of that program that their console is closed, as the system does. */

#include <windows.h>
#include <tlhelp32.h>

int wmain(int count, wchar_t **arguments) {
  if (count < 2) return 2;
  LPTHREAD_START_ROUTINE routine =
      (LPTHREAD_START_ROUTINE)(void *)GetProcAddress(GetModuleHandleW(L"kernelbase"), "CtrlRoutine");
  HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  PROCESSENTRY32W entry = {sizeof entry};
  int told = 0;
  for (BOOL more = Process32FirstW(all, &entry); more; more = Process32NextW(all, &entry)) {
    if (_wcsicmp(entry.szExeFile, arguments[1]) != 0) continue;
    HANDLE process = OpenProcess(PROCESS_ALL_ACCESS, FALSE, entry.th32ProcessID);
    if (CreateRemoteThread(process, NULL, 0, routine, (void *)CTRL_CLOSE_EVENT, 0, NULL)) told++;
  }
  return told > 0 ? 0 : 1;
}
