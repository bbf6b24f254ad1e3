; An installer for Windows, by Inno Setup 6: written with care, never tried (docs/install.md says how it is built).
;   iscc /DVersion=0.1.0 packaging\pyinstaller\windows.iss
#ifndef Version
  #error Name the version: iscc /DVersion=0.1.0
#endif

[Setup]
AppId={{5B0B7C0E-6A0E-4B58-9A57-2D6C4C1F5E11}
AppName=Stepscope
AppVersion={#Version}
AppPublisher=The Stepscope developers
DefaultDirName={autopf}\Stepscope
DefaultGroupName=Stepscope
DisableProgramGroupPage=yes
UninstallDisplayIcon={app}\stepscopew.exe
LicenseFile=..\..\LICENSE
OutputDir=..\..\build\bundle
OutputBaseFilename=Stepscope-{#Version}-windows-x64
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ChangesAssociations=yes
ChangesEnvironment=yes
Compression=lzma2
SolidCompression=yes
WizardStyle=modern

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; GroupDescription: "{cm:AdditionalIcons}"; Flags: unchecked
Name: "path"; Description: "Let stepscope be found as a command"; Flags: unchecked

[Files]
Source: "..\..\build\bundle\dist\stepscope\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\Stepscope"; Filename: "{app}\stepscopew.exe"
Name: "{group}\Uninstall Stepscope"; Filename: "{uninstallexe}"
Name: "{autodesktop}\Stepscope"; Filename: "{app}\stepscopew.exe"; Tasks: desktopicon

[Registry]
; stepscope:// leads to the program
Root: HKA; Subkey: "Software\Classes\stepscope"; ValueType: string; ValueData: "URL:Stepscope link"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\stepscope"; ValueType: string; ValueName: "URL Protocol"; ValueData: ""
Root: HKA; Subkey: "Software\Classes\stepscope\DefaultIcon"; ValueType: string; ValueData: "{app}\stepscopew.exe,0"
Root: HKA; Subkey: "Software\Classes\stepscope\shell\open\command"; ValueType: string; ValueData: """{app}\stepscopew.exe"" ""%1"""
; run bundles are offered to be opened with it
Root: HKA; Subkey: "Software\Classes\.bundle\OpenWithProgids"; ValueType: string; ValueName: "Stepscope.Run"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Stepscope.Run"; ValueType: string; ValueData: "Stepscope run bundle"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Stepscope.Run\DefaultIcon"; ValueType: string; ValueData: "{app}\stepscopew.exe,0"
Root: HKA; Subkey: "Software\Classes\Stepscope.Run\shell\open\command"; ValueType: string; ValueData: """{app}\stepscopew.exe"" ""%1"""
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: IsNotInPath

[Run]
Filename: "{app}\stepscopew.exe"; Description: "{cm:LaunchProgram,Stepscope}"; Flags: nowait postinstall skipifsilent

[Code]
function IsNotInPath: Boolean;
var
  Known: String;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Known) then
    Known := '';
  Result := Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(Known) + ';') = 0;
end;
