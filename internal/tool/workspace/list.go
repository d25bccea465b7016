package workspace

import (
	"assent/internal/store"
	"assent/internal/tool"
)

// builtin is what the tools share: the reads of the last commit, for tools that
// read and for previews. Tools that write read in their own transaction.
type builtin struct {
	reads store.Reads
	shelf *shelf
}

// Tools gives every built-in tool over the workspace.
func Tools(reads store.Reads) []*tool.Tool {
	b := builtin{reads: reads, shelf: &shelf{byID: map[string]shelved{}}}
	return []*tool.Tool{
		b.search(),
		b.listTemplates(), b.getTemplate(), b.createTemplate(), b.deleteTemplate(),
		b.listProjects(), b.getProject(), b.createProject(), b.updateProject(), b.deleteProject(),
		b.projectHealth(),
		b.listGoals(), b.createGoal(), b.updateGoal(), b.deleteGoal(),
		b.listMilestones(), b.createMilestone(), b.createMilestones(), b.updateMilestone(), b.deleteMilestone(),
		b.listTasks(), b.getTask(), b.createTask(), b.createTasks(), b.updateTask(), b.completeTask(), b.deleteTask(),
		b.blockedTasks(), b.overdueTasks(), b.taskDependencies(),
		b.listDocuments(), b.getDocument(), b.searchDocuments(), b.createDocument(), b.updateDocument(), b.publishDocument(), b.deleteDocument(),
		b.listRisks(), b.createRisk(), b.updateRisk(), b.deleteRisk(),
		b.listDecisions(), b.createDecision(), b.updateDecision(), b.deleteDecision(),
		b.listRelations(), b.createRelation(), b.deleteRelation(),
	}
}
