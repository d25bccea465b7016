package offline

// deleteRules recognise what deletes things of the workspace. Under a waiting
// plan "remove step 3" is a change of the plan; those patterns score higher.
var deleteRules = joinRules(
	rules(wantDelete, 93, `^(?:{delete}) (?:{det} |all |every |each |old |new |whole |entire |both |duplicate |following )*(?:{task}|{project}|{milestone}|{document}|{risk}|{decision}|{goal}|{template}|{relation})`,
		`^(?:{delete}) (?:{det} )?[^.?!¶]*?(?:{task}|{project}|{milestone}|{document}|{risk}|{decision}|{goal}|{template}|{relation})`, `^(?:{delete}) «»`, `(?:{project}|{task}|{milestone}|{document}|{risk}|{decision}|{goal}) [^.?!¶]*?(?:can go|can be deleted|should go|must go|is not needed|should be deleted|is obsolete|to be deleted|can be removed)`),
	rules(wantDelete, 70, `^(?:delete|erase|remove|get rid of|trash|destroy|purge|wipe|bin) `, `(?:can be deleted|should be deleted|please delete|needs to be deleted)`),
)
