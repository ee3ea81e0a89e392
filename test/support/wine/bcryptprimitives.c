/* What Wine 8 lacks and Bun needs of Windows 10, put into the functions that the program imports when it loads this library:
   random bytes, paths that begin with the name of a device, and the deletion of files the way POSIX does it. */

#include <windows.h>
#include <ntsecapi.h>
#include <winternl.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(unsigned char *bytes, SIZE_T length) {
  return SystemFunction036(bytes, (ULONG)length);
}

/* Wine opens no path below \Device\HarddiskVolume1: \\?\C:\ becomes \??\C:\, which is the same place. */
static DWORD WINAPI finalPath(HANDLE file, LPWSTR path, DWORD size, DWORD flags) {
  DWORD length = GetFinalPathNameByHandleW(file, path, size, flags & ~VOLUME_NAME_NT);
  if ((flags & VOLUME_NAME_NT) && length && length < size) path[1] = L'?';
  return length;
}

typedef NTSTATUS(NTAPI *SetInformation)(HANDLE, PIO_STATUS_BLOCK, PVOID, ULONG, ULONG);
static SetInformation wines;

enum { RENAME = 10, DISPOSITION = 13, DISPOSITION_EX = 64, RENAME_EX = 65 };

static NTSTATUS NTAPI setInformation(HANDLE file, PIO_STATUS_BLOCK io, PVOID data, ULONG length, ULONG kind) {
  if (kind == DISPOSITION_EX) {
    BOOLEAN deletes = *(ULONG *)data & 1;
    return wines(file, io, &deletes, sizeof deletes, DISPOSITION);
  }
  if (kind == RENAME_EX) {
    *(ULONG *)data &= 1;
    kind = RENAME;
  }
  return wines(file, io, data, length, kind);
}

static void *find(const wchar_t *library, const char *name) {
  return (void *)GetProcAddress(GetModuleHandleW(library), name);
}

static void replace(BYTE *program, void *from, void *to) {
  IMAGE_NT_HEADERS *headers = (void *)(program + ((IMAGE_DOS_HEADER *)program)->e_lfanew);
  DWORD imports = headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT].VirtualAddress;
  for (IMAGE_IMPORT_DESCRIPTOR *library = (void *)(program + imports); library->Name; library++)
    for (void **function = (void **)(program + library->FirstThunk); *function; function++) {
      DWORD before;
      if (*function != from) continue;
      VirtualProtect(function, sizeof *function, PAGE_READWRITE, &before);
      *function = to;
      VirtualProtect(function, sizeof *function, before, &before);
    }
}

BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, void *reserved) {
  if (reason != DLL_PROCESS_ATTACH) return TRUE;
  BYTE *program = (BYTE *)GetModuleHandleW(NULL);
  wines = (SetInformation)find(L"ntdll", "NtSetInformationFile");
  replace(program, (void *)wines, (void *)setInformation);
  replace(program, find(L"kernel32", "GetFinalPathNameByHandleW"), (void *)finalPath);
  return TRUE;
}
